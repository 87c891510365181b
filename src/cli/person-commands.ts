// The words of `octavo person`.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../base/counted.ts'
import { runCommand } from './run-command.ts'

export function addPersonCommands(program: Command): void {
  const person = program
    .command('person')
    .description(
      'Export what is known of a person, or erase them. Works whether or not the server is running.',
    )
    .exitOverride()
  person
    .command('export')
    .argument('<email>', 'the email address of the person')
    .requiredOption('--to <file>', 'the file to write; it must not exist')
    .description('Write everything that names a person, or that they wrote, to a JSON file.')
    .addHelpText('after', '\n  octavo person export ada@example.com --to ada.json')
    .action(async (email: string, { to }: { readonly to: string }) => {
      const { bytes } = await runCommand('person export', { email, file: resolve(to) })
      process.stderr.write(`wrote ${counted(bytes, 'byte')}\n`)
    })
  person
    .command('erase')
    .argument('<email>', 'the email address of the person')
    .option('--dry-run', 'only say what would go; write nothing')
    .description('Remove the account of a person for good. What they wrote stays, by "Deleted person".')
    .addHelpText(
      'after',
      '\nBackups and clones keep what they have; after restoring an older backup, erase again.\n  octavo person erase ada@example.com --dry-run',
    )
    .action(async (email: string, { dryRun: isDryRun = false }: { readonly dryRun?: boolean }) => {
      const { id, rows, commits, lastAdminOf } = await runCommand('person erase', { email, isDryRun })
      for (const [section, count] of Object.entries(rows)) process.stdout.write(`${section}: ${count}\n`)
      if (commits > 0)
        process.stderr.write(
          `noticed: ${counted(commits, 'commit')} of the repositories of spaces keep their author, since clones have them\n`,
        )
      for (const title of lastAdminOf)
        process.stderr.write(`noticed: this is the only admin of ${JSON.stringify(title)}\n`)
      process.stderr.write(
        isDryRun
          ? 'nothing was written\n'
          : `erased; what they wrote is by "Deleted person", whose id is ${id}\n`,
      )
    })
}
