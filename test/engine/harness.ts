export * from '../../tools/engine/engine';
