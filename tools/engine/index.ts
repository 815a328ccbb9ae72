export * from './engine';
export { TriggerHost, type Scheduler, type TriggerSetting } from './triggerHost';
