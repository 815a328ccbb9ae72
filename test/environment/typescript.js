module.exports = globalThis.requireShared('typescript');
