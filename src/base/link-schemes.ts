// The schemes that links of content may have: what is on the web, what reaches people, and what opens in a well-known
// application, which the browser asks about before it hands anything over. Never a scheme that runs or shows what the
// address itself holds, opens files of the reader's machine, or passes words to a command (ssh, ms-settings, search-ms).

const WEB_AND_PEOPLE = [
  ...['http', 'https', 'mailto', 'tel', 'sms', 'sip', 'sips', 'xmpp', 'irc', 'ircs', 'matrix'],
  ...['geo', 'webcal', 'magnet', 'bitcoin'],
]
const APPLICATIONS = [
  ...['vscode', 'vscode-insiders', 'vscodium', 'cursor', 'windsurf', 'zed', 'jetbrains', 'idea', 'pycharm'],
  ...['webstorm', 'phpstorm', 'goland', 'rider', 'clion', 'rubymine', 'xcode', 'txmt'],
  ...['github-mac', 'x-github-client', 'sourcetree', 'gitkraken', 'docker-desktop', 'postman', 'insomnia'],
  ...['slack', 'discord', 'msteams', 'zoommtg', 'zoomus', 'skype', 'facetime', 'tg', 'whatsapp', 'sgnl'],
  ...['obsidian', 'notion', 'linear', 'figma', 'raycast', 'warp', 'shortcuts', 'things', 'bear', 'evernote'],
  ...['claude', 'itms-apps', 'market', 'spotify', 'steam'],
]

export const LINK_SCHEMES: readonly string[] = [...WEB_AND_PEOPLE, ...APPLICATIONS]

const ALLOWED: ReadonlySet<string> = new Set(LINK_SCHEMES)
/** Their addresses are code, or name what is on the reader's own machine: nobody is shown one to copy. */
const HARMFUL: ReadonlySet<string> = new Set('javascript data vbscript blob file filesystem'.split(' '))

/** The scheme of an address in lower case; undefined for a relative one. Anything odd before the first colon is one too. */
export function schemeOf(address: string): string | undefined {
  const colon = address.search(/[:/?#\\]/)
  return colon > 0 && address[colon] === ':' ? address.slice(0, colon).trim().toLowerCase() : undefined
}

export const isLinkScheme = (scheme: string): boolean => ALLOWED.has(scheme)
export const isHarmfulScheme = (scheme: string): boolean => HARMFUL.has(scheme)

/** For messages to those who write. */
export const ALLOWED_SCHEMES_SAID = `Links may begin with ${LINK_SCHEMES.slice(0, -1).join(':, ')}: or ${LINK_SCHEMES.at(-1)}:.`
