module.exports = globalThis.requireShared('zod');
