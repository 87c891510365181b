/** For `catch` of a file operation: undefined if the file does not exist; rethrows any other error. */
export function ifMissing(reason: NodeJS.ErrnoException): undefined {
  if (reason.code !== 'ENOENT') throw reason
}
