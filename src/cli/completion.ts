// Completion for shells, written from the definitions of the commands: a new command or option completes by itself.
import type { Argument, Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

type Completed = {
  readonly name: string
  readonly description: string
  readonly options: readonly CompletedOption[]
  readonly arguments: readonly CompletedArgument[]
}
type CompletedOption = {
  /** `--from` */
  readonly flag: string
  readonly description: string
  /** Null for an option without a value. */
  readonly value: CompletedArgument | null
}
type CompletedArgument = {
  readonly name: string
  readonly choices: readonly string[]
  readonly isPath: boolean
}

/** A script that the shell reads at its start. */
export function renderCompletion(program: Command, shell: Shell): string {
  const commands = program.commands.map(toCompleted)
  return RENDERERS[shell](program.name(), commands)
}

// What a value is called in the help of its command says what it is.
const PATHS: ReadonlySet<string> = new Set(['file', 'folder', 'source'])
const HELP: CompletedOption = { flag: '--help', description: 'Display help for the command.', value: null }

const toCompleted = (command: Command): Completed => ({
  name: command.name(),
  description: firstSentence(command.description()),
  options: [...command.options.map(toOption), HELP],
  arguments: command.registeredArguments.map(argument => toArgument(argument.name(), argument.argChoices)),
})

const toOption = (option: Option): CompletedOption => ({
  flag: option.long ?? option.short ?? '',
  description: option.description,
  value: option.required
    ? toArgument(/<([^<>]+)>/.exec(option.flags)?.[1] ?? 'value', option.argChoices)
    : null,
})

const toArgument = (name: string, choices: Argument['argChoices']): CompletedArgument => ({
  name,
  choices: choices ?? [],
  isPath: PATHS.has(name),
})

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const words = (texts: readonly string[]): string => quoted(texts.join(' '))

const RENDERERS: Readonly<Record<Shell, (program: string, commands: readonly Completed[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
}

/** Bash 3.2 and newer. An empty answer is completed with files; `compopt` turns that off where it exists. */
function renderBash(program: string, commands: readonly Completed[]): string {
  const reply = (texts: readonly string[]) => `COMPREPLY=($(compgen -W ${words(texts)} -- "$current"))`
  const nothing = 'compopt +o default 2>/dev/null'
  const completed = ({ choices, isPath }: CompletedArgument) =>
    choices.length > 0 ? reply(choices) : isPath ? ':' : nothing
  // Which argument the cursor is at is not counted: files are right for one of them.
  const completedFirst = (taken: readonly CompletedArgument[]) => {
    const shown = taken.find(({ isPath }) => isPath) ?? taken[0]
    return shown === undefined ? nothing : completed(shown)
  }
  const branch = ({ name, options, arguments: taken }: Completed) => {
    const withValue = options.flatMap(({ flag, value }) =>
      value === null ? [] : [`        ${flag}) ${completed(value)}; return ;;`],
    )
    return `    ${name})
      case $previous in
${withValue.join('\n')}
      esac
      case $current in
        -*) ${reply(options.map(({ flag }) => flag))} ;;
        *) ${completedFirst(taken)} ;;
      esac
      ;;`
  }
  return `# Completion of ${program} for bash. In ~/.bashrc: source <(${program} completion bash)
_${program}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= at
  # --option=value comes as three words.
  if [ "$current" = = ]; then current=
  elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in -*) ;; *) command=\${COMP_WORDS[at]}; break ;; esac
  done
  COMPREPLY=()
  case $command in
    '') ${reply([...commands.map(({ name }) => name), 'help', '--help', '--version'])} ;;
    help) ${reply(commands.map(({ name }) => name))} ;;
${commands.map(branch).join('\n')}
    *) ${nothing} ;;
  esac
}
complete -o default -F _${program} ${program}
`
}

function renderZsh(program: string, commands: readonly Completed[]): string {
  const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`)
  const actionOf = ({ choices, isPath }: CompletedArgument) =>
    choices.length > 0 ? `(${choices.join(' ')})` : isPath ? '_files' : ' '
  const specOf = ({ flag, description, value }: CompletedOption) =>
    value === null
      ? `${flag}[${plain(description)}]`
      : `${flag}=[${plain(description)}]:${plain(value.name)}:${actionOf(value)}`
  const branch = ({ name, options, arguments: taken }: Completed) => {
    const specs = [
      ...options.map(specOf),
      ...taken.map((argument, at) => `${at + 1}:${plain(argument.name)}:${actionOf(argument)}`),
    ]
    return `    ${name}) _arguments ${specs.map(quoted).join(' ')} ;;`
  }
  return `#compdef ${program}
# Completion of ${program} for zsh. In ~/.zshrc, after compinit: source <(${program} completion zsh)
_${program}() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quoted(`${plain(name)}:${plain(description)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _arguments '--help[Display help.]' '--version[Print the version.]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe -t commands command commands ;;
${commands.map(branch).join('\n')}
  esac
}
if [ "$funcstack[1]" = _${program} ]; then _${program} "$@"; else compdef _${program} ${program}; fi
`
}

function renderFish(program: string, commands: readonly Completed[]): string {
  const escaped = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`
  const line = (condition: string, rest: string) => `complete -c ${program} -n ${escaped(condition)} ${rest}`
  const first = '__fish_use_subcommand'
  const completed = ({ choices, isPath }: CompletedArgument) =>
    choices.length > 0 ? ` -x -a ${escaped(choices.join(' '))}` : isPath ? ' -r -F' : ' -x'
  const linesOf = ({ name, description, options, arguments: taken }: Completed) => {
    const within = `__fish_seen_subcommand_from ${name}`
    const argument = taken.find(({ isPath }) => isPath) ?? taken[0]
    const value =
      argument?.isPath === true
        ? '-F'
        : argument && argument.choices.length > 0 && `-a ${escaped(argument.choices.join(' '))}`
    return [
      line(first, `-a ${name} -d ${escaped(description)}`),
      ...options.map(({ flag, description: words, value }) =>
        line(within, `-l ${flag.slice(2)}${value === null ? '' : completed(value)} -d ${escaped(words)}`),
      ),
      ...(value ? [line(within, value)] : []),
    ]
  }
  return `# Completion of ${program} for fish. Once: ${program} completion fish > ~/.config/fish/completions/${program}.fish
complete -c ${program} -f
${line(first, "-l version -d 'Print the version.'")}
${line(first, "-l help -d 'Display help.'")}
${commands.flatMap(linesOf).join('\n')}
`
}
