// @ts-check
// Which Node.js the program runs on. This and what main.js imports at its start load on older ones too, so that they
// end with a sentence instead of a stack trace.

/** As in package.json. */
export const NODE_MAJOR_MIN = 24

/**
 * What to say to who starts the program with this version of Node.js; undefined if it is new enough.
 *
 * @param {string} version such as "v24.1.0"
 */
export function refusalOfNode(version) {
  if (Number.parseInt(version.slice(1), 10) >= NODE_MAJOR_MIN) return undefined
  return `octavo: Node.js ${NODE_MAJOR_MIN} or newer is needed, and this is ${version}. Start it with ./octavo or npm start, which use the Node.js that npm installed here, or install a newer one.\n`
}
