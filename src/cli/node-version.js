// @ts-check
// What the program needs before anything else: a Node.js that is new enough, and its packages. This and what main.js
// imports at its start load on older versions too, so that they end with a sentence instead of a stack trace.

/** As in package.json. */
export const NODE_MAJOR_MIN = 24

/**
 * What to say to who starts the program with this version of Node.js; undefined if it is new enough.
 *
 * @param {string} version such as "v24.1.0"
 * @param {boolean} isNodeInstalled whether npm installed a Node.js for the program
 */
export function refusalOfNode(version, isNodeInstalled) {
  if (Number.parseInt(version.slice(1), 10) >= NODE_MAJOR_MIN) return undefined
  const way = isNodeInstalled
    ? 'Start it with ./octavo or npm start, which use the Node.js that npm installed here, or install a newer one.'
    : 'Run npm ci in the folder of the project, which installs one, or install a newer one.'
  return `octavo: Node.js ${NODE_MAJOR_MIN} or newer is needed, and this is ${version}. ${way}\n`
}

/**
 * What to say if the program cannot be loaded because npm did not install its packages; undefined for other errors.
 *
 * @param {any} error
 */
export function refusalWithoutPackages(error) {
  const [, name] =
    error?.code === 'ERR_MODULE_NOT_FOUND' ? (/^Cannot find package '([^']+)'/.exec(error.message) ?? []) : []
  if (name === undefined) return undefined
  return `octavo: the package ${name} is not installed. Run npm ci in the folder of the project.\n`
}
