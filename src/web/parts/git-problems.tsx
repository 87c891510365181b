// What an import could not carry over, found odd, or failed on. Each leads to its page, where there is one.
import { useState } from 'react'
import { Link } from 'wouter'
import type { Model } from '../data/client.ts'
import { t } from '../messages/messages.ts'
import { Button } from './button.tsx'
import { sayProblem } from './problem-words.ts'

type Problem = Model<'GitProblem'>

/** A page by its title, and where it is read. */
export type ProblemPage = { readonly title: string; readonly address: string }

type Props = {
  readonly of: readonly Problem[]
  readonly pageOf?: (problem: Problem) => ProblemPage | undefined
}

const SHOWN = 50

export function Problems({ of, pageOf = () => undefined }: Props) {
  const [shown, setShown] = useState(SHOWN)
  return (
    <>
      <ul role="list" className="card rows problems">
        {of.slice(0, shown).map((problem, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are as they were read, and may be there twice
          <li key={`${at} ${problem.code}`} className="problem">
            <Words of={problem} />
            <Place of={problem} page={pageOf(problem)} />
          </li>
        ))}
      </ul>
      {of.length > shown && (
        <div>
          <Button onPress={() => setShown(shown + SHOWN)}>{t('repository.showMore')}</Button>
        </div>
      )}
    </>
  )
}

const Words = ({ of }: { readonly of: Problem }) => {
  const said = sayProblem(of)
  return (
    <span className="problem-words">
      {said ?? <span lang="en">{of.message}</span>}
      {said !== undefined && of.values?.detail !== undefined && (
        <span className="faint small" lang="en">
          {of.values.detail}
        </span>
      )}
    </span>
  )
}

const Place = ({
  of: { file, values },
  page,
}: {
  readonly of: Problem
  readonly page: ProblemPage | undefined
}) => (
  <span className="problem-place small faint">
    {page !== undefined && (
      <Link href={page.address}>
        <bdi>{page.title}</bdi>
      </Link>
    )}
    {file !== undefined && <bdi>{file}</bdi>}
    {values?.line !== undefined && <span>{t('problem.line', { line: values.line })}</span>}
  </span>
)
