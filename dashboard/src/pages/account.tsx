import { useNavigate, useSearch } from '@tanstack/react-router'
import { Choices } from '../components/choices.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Blocked } from '../features/account/blocked.js'
import { Privacy } from '../features/account/privacy.js'
import { Profile } from '../features/account/profile.js'
import { Business } from '../features/business/business.js'
import { CallList } from '../features/calls/call-list.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAccountWords } from '../words/account/index.js'
import { useWords } from '../words/index.js'

/** Profile and privacy of the account, and whom it blocks, of which keys see the last only; its business and its calls. */
export function Account() {
  const words = useWords()
  const own = useAccountWords()
  const { id, credential, told } = useThisInstance()
  const { view = 'profile' } = useSearch({ from: '/instances/$id/account' })
  const navigate = useNavigate({ from: '/instances/$id/account' })
  const scope = { id, credential }
  return (
    <>
      <PageHeader title={words.pages.account} about={words.abouts.account} />
      <Choices
        label={own.views}
        options={[
          ['profile', own.profile],
          ['business', own.business],
          ['calls', own.calls],
        ]}
        chosen={view}
        onChoose={(next) => void navigate({ search: next === 'profile' ? {} : { view: next }, replace: true })}
      />
      {view === 'calls' ? (
        <CallList scope={scope} />
      ) : !told.status.connected ? (
        <Notice>{own.notConnected}</Notice>
      ) : view === 'business' ? (
        <Business scope={scope} />
      ) : (
        <>
          {mayConnect() ? (
            <>
              <Profile scope={scope} instance={told.instance} />
              <Privacy scope={scope} />
            </>
          ) : null}
          <Blocked scope={scope} />
        </>
      )}
    </>
  )
}
