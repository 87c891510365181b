// The tree of pages, which comes when a space is opened: Home has none.
import { type ComponentProps, Suspense } from 'react'
import { t } from '../messages/messages.ts'
import { later } from './later.tsx'
import { Skeleton } from './state.tsx'

const [Tree, readPageTree] = later(() => import('./page-tree.tsx'))

export { readPageTree }

export const PageTree = (props: ComponentProps<typeof Tree>) =>
  props.pages.length === 0 ? (
    <p className="faint small tree-empty">{t('space.noPages')}</p>
  ) : (
    <Suspense fallback={<Skeleton lines={8} />}>
      <Tree key={props.name} {...props} />
    </Suspense>
  )
