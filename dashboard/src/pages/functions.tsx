import { FunctionList } from '../features/agents/function-list.js'
import { useThisInstance } from '../hooks/use-this-instance.js'

export function Functions() {
  const { id, credential } = useThisInstance()
  return <FunctionList scope={{ id, credential }} />
}
