// Which test files need a process of their own, read from their text, so that no list has to be kept: those that change
// what all code of a process shares, and those that use support of which there is one for each process.
import { reaching, withoutComments } from './imports.ts'

// The environment, the clock and the timers, modules and classes, methods of node, the process itself, flags of V8.
const CHANGES_THE_PROCESS =
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=[^=]|\bdelete process\.env\b|\bmock\.(?:timers|module)\b|\bmock\.method\(\s*(?:globalThis|process|Date|\w+\.prototype)\b|\bprocess\.(?:chdir|on|once|exit|exitCode|umask)\b|\bsetFlagsFromString\b/
// Support that closes what it opened by a hook at its top level does so after the file that loads it first.
const SUPPORT = /^test\/support\//
const HOOKED_ONCE = /^(?:after|before|afterEach|beforeEach|process\.(?:on|once))\(/m

/** `read` answers undefined for a path that is no file of the project. */
export function needingOwnProcess(read: (path: string) => string | undefined): (path: string) => boolean {
  const usesSupportOfOneProcess = reaching((path, text) => SUPPORT.test(path) && HOOKED_ONCE.test(text), read)
  return path => CHANGES_THE_PROCESS.test(withoutComments(read(path) ?? '')) || usesSupportOfOneProcess(path)
}
