// What is used of node:http. An import of it reads everything that it exports, WebSocket too, which loads a whole
// client (undici): 30 ms of a processor in each process and each thread.
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
