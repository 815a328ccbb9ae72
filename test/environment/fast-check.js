module.exports = globalThis.requireShared('fast-check');
