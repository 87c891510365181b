// The parts of node:http in use. Importing it reads everything it exports, including WebSocket, which loads a whole
// client (undici): 30 ms of processor time in each process and each thread.
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
