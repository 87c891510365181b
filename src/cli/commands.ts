// What an operator can ask for on the command line, whether a server runs or not: `control.ts` carries these to the
// server that has the folder, `program.ts` runs them itself when there is none. Options and results are plain JSON.
import type { Services } from '../http/context.ts'
import type { BackupResult } from '../platform/backup/write.ts'
import { type BackupOptions, makeBackup } from './backup.ts'
import type { CommandContext } from './command-context.ts'
import { type DoctorOptions, type DoctorResult, examine } from './doctor.ts'
import { type ExportOptions, type ExportResult, exportSpace } from './export.ts'
import {
  exportOrganization,
  type OrganizationExportOptions,
  type OrganizationExportResult,
} from './export-organization.ts'
import { type ImportOptions, type ImportResult, importInto } from './import.ts'
import { makePasswordLink, type PasswordLink, type PasswordLinkOptions } from './password-link.ts'
import { makeToken, type TokenOptions } from './token.ts'

export type CommandName = keyof typeof commands

export const commands = {
  token: (services: Services, options: TokenOptions): Promise<{ token: string }> =>
    makeToken(services, options),
  'password-link': (services: Services, options: PasswordLinkOptions): Promise<PasswordLink> =>
    makePasswordLink(services, options),
  import: (services: Services, options: ImportOptions, context: CommandContext): Promise<ImportResult> =>
    importInto(services, options, context),
  backup: (services: Services, options: BackupOptions, context: CommandContext): Promise<BackupResult> =>
    makeBackup(services, options, context),
  doctor: (services: Services, options: DoctorOptions, context: CommandContext): Promise<DoctorResult> =>
    examine(services, options, context),
  export: (services: Services, options: ExportOptions, context: CommandContext): Promise<ExportResult> =>
    exportSpace(services, options, context),
  'export-organization': (
    services: Services,
    options: OrganizationExportOptions,
    context: CommandContext,
  ): Promise<OrganizationExportResult> => exportOrganization(services, options, context),
} as const
