// A space: its pages at the side, one of them in the middle.
import { useQuery } from '@tanstack/react-query'
import { space } from '../../data/spaces.ts'
import { Screen } from '../../parts/screen.tsx'
import { Loaded } from '../../parts/state.tsx'

type Props = { readonly spaceId: string; readonly pageId?: string }

export default function Space({ spaceId }: Props) {
  return (
    <Loaded query={useQuery(space(spaceId))}>{({ title }) => <Screen title={title}>{null}</Screen>}</Loaded>
  )
}
