// The words of `octavo keys`.
import type { Command } from 'commander'
import { counted } from '../base/counted.ts'
import { runCommand } from './run-command.ts'

type Words = { readonly now?: boolean; readonly overlap?: string }

const optionsOf = ({ now: isNow = false, overlap }: Words) => ({
  isNow,
  ...(overlap === undefined ? {} : { overlap }),
})

export function addKeysCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description(
      'The keys that sign what this installation makes. Works whether or not the server is running.',
    )
    .exitOverride()
  keys
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
      '\nShare links, keys of visitors, addresses of files, and records of email domains are made anew; give them out again before the overlap ends. --now ends the recovery codes of people as well.\n  octavo keys rotate --overlap 90d\n  octavo keys rotate --now',
    )
    .action(async (words: Words) => {
      const { isNow, ...options } = optionsOf(words)
      const { endsAt, resealed, codes } = await runCommand('keys rotate', { isNow, ...options })
      process.stderr.write(`encrypted ${counted(resealed, 'secret')} anew\n`)
      if (isNow) process.stderr.write(`removed ${counted(codes, 'recovery code')}\n`)
      process.stdout.write(
        isNow
          ? 'What the keys before it signed has ended.\n'
          : `What the keys before it signed ends at ${endsAt}.\n`,
      )
    })
  keys
    .command('rotate-saml')
    .option(
      '--overlap <days>',
      'for how many days the key before still signs, while the metadata has both, such as 14d; by default 30d',
    )
    .option('--now', 'sign with the new key at once: for a key that others have got hold of')
    .description(
      'Make a new key for requests to identity providers by SAML. It is in the metadata before it signs.',
    )
    .addHelpText(
      'after',
      '\nProviders that check signatures of requests and do not read the metadata by themselves have to be given it again.\n  octavo keys rotate-saml --overlap 14d\n  octavo keys rotate-saml --now',
    )
    .action(async (words: Words) => {
      const { signsFrom } = await runCommand('keys rotate-saml', optionsOf(words))
      process.stdout.write(
        words.now === true
          ? 'The new key signs. The metadata has its certificate alone.\n'
          : `The new key is in the metadata, and signs from ${signsFrom}.\n`,
      )
    })
}
