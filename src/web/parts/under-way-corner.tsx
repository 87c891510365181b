// In a corner: what is sent on from a screen that was left, how far it is, and how to stop it.
import X from 'lucide-react/icons/x'
import { Suspense, use } from 'react'
import { Link, useLocation } from 'wouter'
import { useStore } from '../data/store.ts'
import { underWay } from '../data/under-way.ts'
import { t } from '../messages/messages.ts'
import { underWayTexts } from '../messages/under-way.ts'
import { IconButton } from './button.tsx'

const UnderWayCorner = () => (
  <Suspense>
    <Elsewhere />
  </Suspense>
)
export default UnderWayCorner

function Elsewhere() {
  if (underWayTexts !== undefined) use(underWayTexts)
  const [path] = useLocation()
  const elsewhere = useStore(underWay).filter(({ shownAt }) => !shownAt.includes(path))
  if (elsewhere.length === 0) return null
  return (
    <section className="under-way" aria-label={t('underWay.title')}>
      {elsewhere.map(({ key, name, part, shownAt, stopping }) => (
        <div key={key} className="toast">
          <div className="grow stack-small">
            <Link href={shownAt[0]} className="truncate" dir="auto">
              {name}
            </Link>
            <progress
              className="new-space-bar"
              aria-label={t('underWay.progress', { name })}
              max={1}
              value={part}
            />
          </div>
          <IconButton label={t('underWay.stop', { name })} onPress={() => stopping.abort()}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  )
}
