// What reading and changing installations takes: scopes, and the tokens of programs.

export const reading = {
  method: 'GET',
  tag: 'Integrations',
  scope: 'integration:installations:read',
} as const
export const writing = { tag: 'Integrations', scope: 'integration:installations:write' } as const
export const byItself = ['user', 'integration', 'installation'] as const
