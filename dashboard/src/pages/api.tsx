import { useNavigate, useSearch } from '@tanstack/react-router'
import { readSession } from '../api/session.js'
import { Choices } from '../components/choices.js'
import { PageHeader } from '../components/page-header.js'
import { Playground } from '../features/playground/playground.js'
import { RequestLog } from '../features/playground/request-log.js'
import { isAdmin } from '../hooks/use-fleet.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { usePlaygroundWords } from '../words/playground.js'

/** The API for developers: every operation to try, and the calls that were made. */
export function Api() {
  const words = usePlaygroundWords()
  const { credential } = useThisInstance()
  const { view = 'try', operation } = useSearch({ from: '/instances/$id/api' })
  const navigate = useNavigate({ from: '/instances/$id/api' })
  const admin = isAdmin() ? readSession()?.credential : undefined
  const credentials = {
    ...(credential === undefined ? {} : { token: credential }),
    ...(admin === undefined ? {} : { admintoken: admin }),
  }
  return (
    <>
      <PageHeader title={words.title} about={words.about} />
      <Choices
        label={words.views}
        options={[
          ['try', words.tryIt],
          ['log', words.log],
        ]}
        chosen={view}
        onChoose={(next) => void navigate({ search: next === 'try' ? {} : { view: next }, replace: true })}
      />
      {view === 'log' ? (
        <RequestLog />
      ) : (
        <Playground
          credentials={credentials}
          chosen={operation}
          onChoose={(next) => void navigate({ search: next === undefined ? {} : { operation: next }, replace: true })}
        />
      )}
    </>
  )
}
