// Light, dark, or as the device has it; kept in a cookie, which the reader and the shell read as well.
export const LOOKS = ['system', 'light', 'dark'] as const
export type Look = (typeof LOOKS)[number]

const YEAR_SECONDS = 365 * 24 * 3600

export function currentLook(): Look {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function chooseLook(look: Look): void {
  if (look === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = look
  const age = look === 'system' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store needs a secure context, which a local network is not
  document.cookie = `octavo_theme=${look}; Path=/; SameSite=Lax; Max-Age=${age}`
}
