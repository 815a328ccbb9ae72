export * from '../../tools/engine/triggerHost';
