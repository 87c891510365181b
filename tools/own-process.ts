// Which test files need a process of their own, read from their text, so that no list has to be kept: those that change
// what all code of a process shares, those that start processes, and those that use support of which there is one for
// each process.
import { reaching, withoutComments } from './imports.ts'

// The environment, the clock and the timers, modules and classes, methods of node, the process itself, flags of V8.
const CHANGES_THE_PROCESS =
  /\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=[^=]|\bdelete process\.env\b|\bmock\.(?:timers|module)\b|\bmock\.method\(\s*(?:globalThis|process|Date|\w+\.prototype)\b|\bprocess\.(?:chdir|on|once|exit|exitCode|umask)\b|\bsetFlagsFromString\b/
// A fork makes every page of memory one that both share, and each that is written afterwards is copied or taken back:
// in a process as large as a lane up to three seconds of a processor, for each fork.
const FORKS = /^import (?!type).*from 'node:child_process'/m
// Support that closes what it opened by a hook at its top level does so after the file that loads it first.
const SUPPORT = /^test\/support\//
const HOOKED_ONCE = /^(?:after|before|afterEach|beforeEach|process\.(?:on|once))\(/m

/** `read` answers undefined for a path that is no file of the project. */
export function needingOwnProcess(read: (path: string) => string | undefined): (path: string) => boolean {
  const usesSupportOfOneProcess = reaching((path, text) => SUPPORT.test(path) && HOOKED_ONCE.test(text), read)
  return path => {
    const text = withoutComments(read(path) ?? '')
    return CHANGES_THE_PROCESS.test(text) || FORKS.test(text) || usesSupportOfOneProcess(path)
  }
}
