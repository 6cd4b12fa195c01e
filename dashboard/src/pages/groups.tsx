import { useNavigate, useSearch } from '@tanstack/react-router'
import { Choices } from '../components/choices.js'
import { PageHeader } from '../components/page-header.js'
import { GroupList } from '../features/groups/group-list.js'
import { LabelList } from '../features/groups/label-list.js'
import { readGroupSearch } from '../features/groups/search.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useGroupWords } from '../words/groups/index.js'
import { useWords } from '../words/index.js'

/** Groups of the account, and its labels. */
export function Groups() {
  const group = useGroupWords()
  const words = useWords()
  const { id, credential } = useThisInstance()
  const search = useSearch({ from: '/instances/$id/groups' })
  const { view = 'groups' } = search
  const navigate = useNavigate({ from: '/instances/$id/groups' })
  return (
    <>
      <PageHeader title={group.title} about={words.abouts[view]} />
      <Choices
        label={group.views}
        options={[
          ['groups', group.groups],
          ['labels', group.labels],
        ]}
        chosen={view}
        onChoose={(next) => void navigate({ search: next === 'labels' ? { view: next } : {}, replace: true })}
      />
      {view === 'labels' ? (
        <LabelList scope={{ id, credential }} />
      ) : (
        <GroupList
          scope={{ id, credential }}
          search={search}
          onSearch={(next) => void navigate({ search: readGroupSearch({ ...search, ...next }), replace: true })}
        />
      )}
    </>
  )
}
