// The configuration that an integration asks for where it is installed, and whether it has been given.
import { invalid, tooLarge } from '../../base/errors.ts'
import type { ConfigurationProperty, ConfigurationSlot, Manifest } from './manifest.ts'
import { CONFIGURATION_CHARACTERS_MAX } from './schema.ts'

export type Slot = 'account' | 'space'

export const slotOf = (manifest: Manifest, slot: Slot): ConfigurationSlot | undefined =>
  manifest.configurations?.[slot]

/** Whether every required value is given. A component of the integration decides for itself. */
export function isConfigured(
  slot: ConfigurationSlot | undefined,
  configuration: Readonly<Record<string, unknown>>,
): boolean {
  if (slot === undefined || !('properties' in slot)) return true
  const given = new Map(Object.entries(configuration))
  return (slot.required ?? []).every(name => (given.get(name) ?? null) !== null)
}

/** Throws `invalid` for a value of another type than declared. Undeclared values are kept. */
export function checkConfiguration(
  slot: ConfigurationSlot | undefined,
  configuration: Readonly<Record<string, unknown>>,
): void {
  if (JSON.stringify(configuration).length > CONFIGURATION_CHARACTERS_MAX)
    throw tooLarge(
      'configuration_too_large',
      `body.configuration: it has more than ${CONFIGURATION_CHARACTERS_MAX} characters as JSON.`,
    )
  if (slot === undefined || !('properties' in slot)) return
  for (const [name, property] of Object.entries(slot.properties)) {
    const value = Object.hasOwn(configuration, name) ? configuration[name] : undefined
    const problem = value === undefined || value === null ? undefined : problemOf(property, value)
    if (problem !== undefined)
      throw invalid('configuration_invalid', `body.configuration.${name}: ${problem}.`)
  }
}

function problemOf(property: ConfigurationProperty, value: unknown): string | undefined {
  if (property.type === 'button') return 'this is a button, which has no value'
  if (typeof value !== property.type) return `must be ${property.type}`
  if (property.type === 'string' && property.enum?.every(choice => choice !== value))
    return `must be one of ${property.enum.join(', ')}`
  return undefined
}
