import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { Blocked } from '../features/account/blocked.js'
import { Privacy } from '../features/account/privacy.js'
import { Profile } from '../features/account/profile.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAccountWords } from '../words/account/index.js'
import { useWords } from '../words/index.js'

/** Profile and privacy of the account, and whom it blocks. Keys see the last only. */
export function Account() {
  const words = useWords()
  const own = useAccountWords()
  const { id, credential, told } = useThisInstance()
  const scope = { id, credential }
  return (
    <>
      <PageHeader title={words.pages.account} about={words.abouts.account} />
      {told.status.connected ? (
        <>
          {mayConnect() ? (
            <>
              <Profile scope={scope} instance={told.instance} />
              <Privacy scope={scope} />
            </>
          ) : null}
          <Blocked scope={scope} />
        </>
      ) : (
        <Notice>{own.notConnected}</Notice>
      )}
    </>
  )
}
