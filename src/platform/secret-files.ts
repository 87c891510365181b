// Secrets in files: orchestrators mount them, and unlike the environment they are in no listing of processes and in no
// dump of a container's settings. Of a variable that is a secret, `<name>_FILE` is the path of a file that has its value.
import { readFileSync } from 'node:fs'

const SUFFIX = '_FILE'
/** No secret is longer; a wrong path may be that of a disk. */
const BYTES_MAX = 65_536

export const fileVariableOf = (name: string): string => name + SUFFIX

type Secret = { readonly text?: string; readonly problem?: string }

/** The text of the file, without the line end that editors and shells put at its end; or what is wrong, in a sentence. */
export function readSecretFile(name: string, path: string, isSet: boolean): Secret {
  const variable = fileVariableOf(name)
  if (isSet) return { problem: `Set ${name} or ${variable}, and not both.` }
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (text.trim() === '') return { problem: `${variable} names a file that is empty.` }
    if (text.length > BYTES_MAX) return { problem: `${variable} names a file of more than 64 KiB.` }
    return { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { problem: `${variable} names a file that cannot be read (${code}): ${path}.` }
  }
}
