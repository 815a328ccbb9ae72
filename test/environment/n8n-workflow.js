module.exports = globalThis.requireShared('n8n-workflow');
