/** For `catch` of an operation on a file: undefined where it is not there, and any other failure again. */
export function ifMissing(reason: NodeJS.ErrnoException): undefined {
  if (reason.code !== 'ENOENT') throw reason
}
