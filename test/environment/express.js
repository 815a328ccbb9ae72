module.exports = globalThis.requireShared('express');
