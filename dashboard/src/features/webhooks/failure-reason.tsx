import { Original } from '../../components/failure.js'
import { useDeliveryFailure } from '../../words/webhooks/failures.js'

interface FailureReasonProps {
  readonly code: string
  readonly status: number | null
  /** English text of the gateway; null or empty: nothing failed. */
  readonly error: string | null
}

/** Why a delivery failed, in the language of the reader; what the gateway wrote is below. */
export function FailureReason({ code, status, error }: FailureReasonProps) {
  const sentence = useDeliveryFailure()
  if (error === null || error === '') return null
  // A gateway of the former release sends no code.
  return (
    <div>
      <p>{sentence(code || 'other', status)}</p>
      <Original text={error} />
    </div>
  )
}
