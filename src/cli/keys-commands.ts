// The words of `octavo keys`.
import type { Command } from 'commander'
import { counted } from '../base/counted.ts'
import { runCommand } from './run-command.ts'

export function addKeysCommands(program: Command): void {
  program
    .command('keys')
    .description(
      'The key that signs what this installation makes. Works whether or not the server is running.',
    )
    .exitOverride()
    .command('rotate')
    .option(
      '--overlap <days>',
      'for how many days what the key before signed still counts, such as 30d; by default 180d',
    )
    .option('--now', 'end at once what the keys before signed: for a key that others have got hold of')
    .description(
      'Sign with a new key. What the key before signed counts for a while, so that everything can follow.',
    )
    .addHelpText(
      'after',
      '\nShare links, keys of visitors, addresses of files, and records of email domains are made anew; give them out again before the overlap ends.\n  octavo keys rotate --overlap 90d\n  octavo keys rotate --now',
    )
    .action(
      async ({ now: isNow = false, overlap }: { readonly now?: boolean; readonly overlap?: string }) => {
        const { endsAt, resealed } = await runCommand('keys rotate', {
          isNow,
          ...(overlap === undefined ? {} : { overlap }),
        })
        process.stderr.write(`encrypted ${counted(resealed, 'secret')} anew\n`)
        process.stdout.write(
          isNow
            ? 'What the keys before it signed has ended.\n'
            : `What the keys before it signed ends at ${endsAt}.\n`,
        )
      },
    )
}
