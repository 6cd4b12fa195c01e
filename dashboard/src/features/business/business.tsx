import { Problem } from '../../api/problem.js'
import { Failure } from '../../components/failure.js'
import { Notice } from '../../components/notice.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead } from '../../hooks/use-operation.js'
import { useBusinessWords } from '../../words/business.js'
import { useWords } from '../../words/index.js'
import { BusinessProfile } from './business-profile.js'
import { Catalogue } from './catalogue.js'

const NO_FILTER = { body: {} }

/** Profile and catalogue of an account of WhatsApp Business. Keys see the catalogue, and change nothing. */
export function Business({ scope }: { readonly scope: Scope }) {
  const words = useWords()
  const business = useBusinessWords()
  const { data, error, refetch } = useRead(scope, 'showBusinessProfile', NO_FILTER)
  if (error instanceof Problem && error.code === 'NOT_A_BUSINESS')
    return (
      <Notice>
        <p>{business.none}</p>
        <p>{business.noneHelp}</p>
      </Notice>
    )
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <p role="status">{words.loading}</p>
  return (
    <>
      {mayConnect() ? <BusinessProfile scope={scope} profile={data.response} /> : null}
      <Catalogue scope={scope} />
    </>
  )
}
