// What an operator can ask for on the command line, whether a server is running or not: `control.ts` carries these to
// the server that holds the folder, `program.ts` runs them itself if there is none. Options and results are plain
// JSON.

import {
  type FactorResetOptions,
  type FactorResetResult,
  resetByOperator,
} from '../api/sessions/factor-reset.ts'
import { type UnbindOptions, type UnbindResult, unbind } from '../api/sso/unbind.ts'
import type { Services } from '../http/context.ts'
import type { BackupResult } from '../platform/backup/write.ts'
import { type BackupOptions, makeBackup } from './backup.ts'
import { type CheckOptions, type CheckResult, checkImport } from './check-import.ts'
import type { CommandContext } from './command-context.ts'
import { type DoctorOptions, type DoctorResult, diagnose } from './doctor.ts'
import { type ExportOptions, type ExportResult, exportSpace } from './export.ts'
import {
  exportOrganization,
  type OrganizationExportOptions,
  type OrganizationExportResult,
} from './export-organization.ts'
import { type ImportOptions, type ImportResult, importInto } from './import.ts'
import { type RotateOptions, type RotateResult, type RotateSamlResult, rotate, rotateSaml } from './keys.ts'
import { makePasswordLink, type PasswordLink, type PasswordLinkOptions } from './password-link.ts'
import {
  erasePerson,
  exportPerson,
  type PersonEraseOptions,
  type PersonEraseResult,
  type PersonExportOptions,
  type PersonExportResult,
} from './person.ts'
import { makeToken, type TokenOptions } from './token.ts'

/** The options and the result of each command. */
type Shapes = {
  token: { options: TokenOptions; result: { token: string } }
  'password-link': { options: PasswordLinkOptions; result: PasswordLink }
  'second-factor-reset': { options: FactorResetOptions; result: FactorResetResult }
  unbind: { options: UnbindOptions; result: UnbindResult }
  import: { options: ImportOptions; result: ImportResult }
  'check-import': { options: CheckOptions; result: CheckResult }
  backup: { options: BackupOptions; result: BackupResult }
  doctor: { options: DoctorOptions; result: DoctorResult }
  export: { options: ExportOptions; result: ExportResult }
  'export-organization': { options: OrganizationExportOptions; result: OrganizationExportResult }
  'keys rotate': { options: RotateOptions; result: RotateResult }
  'keys rotate-saml': { options: RotateOptions; result: RotateSamlResult }
  'person export': { options: PersonExportOptions; result: PersonExportResult }
  'person erase': { options: PersonEraseOptions; result: PersonEraseResult }
}

export type CommandName = keyof Shapes
export type OptionsOf<Name extends CommandName> = Shapes[Name]['options']
export type ResultOf<Name extends CommandName> = Shapes[Name]['result']

export const commands: {
  readonly [Name in CommandName]: (
    services: Services,
    options: OptionsOf<Name>,
    context: CommandContext,
  ) => Promise<ResultOf<Name>>
} = {
  token: makeToken,
  'password-link': makePasswordLink,
  'second-factor-reset': resetByOperator,
  unbind,
  import: importInto,
  'check-import': checkImport,
  backup: makeBackup,
  doctor: diagnose,
  export: exportSpace,
  'export-organization': exportOrganization,
  'keys rotate': rotate,
  'keys rotate-saml': rotateSaml,
  'person export': exportPerson,
  'person erase': erasePerson,
}
