// What is in a repository, and what of it is imported.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { type Probe, type ProbeContent, probe, probeContent, type Repository } from '../../data/git.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { Report } from './report.tsx'

const SYNCS = ['once', 'import', 'both'] as const
/** Imported once, or kept in sync: imported again, and in both directions. */
type Sync = (typeof SYNCS)[number]

export type ImportChoice = {
  readonly title: string
  /** The full name of a branch. */
  readonly ref: string
  readonly root: string
  /** The layout that it is converted from. */
  readonly from: { readonly from?: Exclude<ProbeContent['layout'], 'gitbook'> }
  readonly sync: Sync
}

type Props = {
  readonly organizationId: string
  readonly repository: Repository
  readonly isPending: boolean
  /** It takes an admin of the space. */
  readonly canSync: boolean
  /** Chooses the collection of the space. */
  readonly destination: ReactNode
  readonly onImport: (choice: ImportChoice) => void
}

const TITLE_CHARACTERS_MAX = 50
const ROOTS_SHOWN_MAX = 6

export function LookedAt(props: Props) {
  const { data } = useQuery(probe(props.organizationId, props.repository))
  return data === undefined ? null : <Branches {...props} of={data} />
}

function Branches({
  of,
  organizationId,
  repository,
  isPending,
  canSync,
  destination,
  onImport,
}: Props & { readonly of: Probe }) {
  const [title, setTitle] = useState(titleOf(of.url))
  const [ref, setRef] = useState(of.ref)
  // What is typed, and what was looked at: not with every key.
  const [typedRoot, setTypedRoot] = useState<string>()
  const [root, setRoot] = useState<string>()
  const [sync, setSync] = useState<Sync>('once')
  const content = useQuery(probeContent(organizationId, repository, { ref, root }))
  const { data: suggested } = useQuery({
    ...probeContent(organizationId, repository, { ref, root: undefined }),
    enabled: root === undefined,
  })
  const layout = content.data?.layout
  const isConverted = layout !== undefined && layout !== 'gitbook'
  const shownRoot = typedRoot ?? content.data?.root ?? ''
  const choose = (path: string | undefined) => {
    setTypedRoot(path)
    setRoot(path)
  }
  return (
    <Form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        onImport({
          title: title.trim(),
          ref,
          root: shownRoot,
          from: isConverted ? { from: layout } : {},
          sync: canSync && !isConverted ? sync : 'once',
        })
      }}
    >
      <Choice
        label={t('newSpace.branch')}
        options={of.branches.map(name => ({ id: name, name: name.replace(/^refs\/heads\//, '') }))}
        chosen={ref}
        onChange={name => {
          setRef(name ?? of.ref)
          choose(undefined)
        }}
      />
      {of.hasMoreBranches && (
        <p className="soft small">{t('newSpace.moreBranches', { count: of.branches.length })}</p>
      )}
      <Field
        label={t('newSpace.root')}
        hint={t('newSpace.rootHint')}
        value={shownRoot}
        onChange={setTypedRoot}
        onBlur={() => setRoot(typedRoot)}
      />
      <Roots of={suggested?.roots ?? []} onChoose={choose} />
      <div role="status" className="stack">
        {content.isFetching && <p className="soft">{t('newSpace.counting')}</p>}
        {content.error !== null && !content.isFetching && (
          <p className="notice warning">{sayGitWhy(content.error)}</p>
        )}
        {content.data && !content.isFetching && <Report of={content.data} />}
      </div>
      <Field
        label={t('newSpace.name')}
        hint={t('newSpace.nameHint')}
        value={title}
        maxLength={TITLE_CHARACTERS_MAX}
        onChange={setTitle}
      />
      {destination}
      {canSync && !isConverted && (
        <Choice
          label={t('newSpace.sync')}
          options={SYNCS.map(id => ({ id, name: t(`newSpace.syncs.${id}`) }))}
          chosen={sync}
          onChange={id => setSync(SYNCS.find(one => one === id) ?? 'once')}
        />
      )}
      <div className="dialog-actions">
        <Button look="primary" type="submit" isPending={isPending}>
          {t('newSpace.import')}
        </Button>
      </div>
    </Form>
  )
}

type RootsProps = {
  readonly of: NonNullable<ProbeContent['roots']>
  readonly onChoose: (path: string) => void
}

const Roots = ({ of, onChoose }: RootsProps) =>
  of.length > 1 && (
    <fieldset className="filters roots" aria-label={t('newSpace.roots')}>
      {of.slice(0, ROOTS_SHOWN_MAX).map(({ path, markdownFiles }) => (
        <Button key={path} onPress={() => onChoose(path)}>
          <bdi>{path === '' ? t('newSpace.top') : path}</bdi>
          <span className="faint small">{t('newSpace.markdownFiles', { count: markdownFiles })}</span>
        </Button>
      ))}
    </fieldset>
  )

/** `https://host/team/guide.git` is titled `guide`. */
function titleOf(url: string): string {
  const name = URL.parse(url)?.pathname.split('/').filter(Boolean).at(-1) ?? ''
  return [...name.replace(/\.git$/, '')].slice(0, TITLE_CHARACTERS_MAX).join('')
}
