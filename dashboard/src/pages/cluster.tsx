import { Failure } from '../components/failure.js'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { NodePicture } from '../features/cluster/node-picture.js'
import { Nodes } from '../features/cluster/nodes.js'
import { StoreNotice } from '../features/cluster/store-notice.js'
import { WhereIs } from '../features/cluster/where-is.js'
import { isAdmin, useNodes, useShards } from '../hooks/use-fleet.js'
import { useClusterWords } from '../words/cluster.js'
import { useFleetWords } from '../words/fleet/index.js'
import { useWords } from '../words/index.js'

/** Nodes and shards of the installation, read every two seconds while the page is seen. */
export function Cluster() {
  const words = useWords()
  const own = useFleetWords()
  const cluster = useClusterWords()
  const nodes = useNodes()
  const shards = useShards()
  if (!isAdmin()) return <Notice>{own.needsAdmin}</Notice>
  const failed = nodes.error ?? shards.error
  return (
    <>
      <PageHeader title={words.pages.cluster} about={cluster.page} />
      {failed === null ? null : (
        <Failure
          error={failed}
          onRetry={() => {
            void nodes.refetch()
            void shards.refetch()
          }}
        />
      )}
      {nodes.data === undefined ? (
        failed === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : (
        <>
          <StoreNotice store={nodes.data.store} />
          {shards.data === undefined ? null : <NodePicture shards={shards.data.shards} nodes={nodes.data.nodes} />}
          <Nodes nodes={nodes.data.nodes} />
        </>
      )}
      <WhereIs />
    </>
  )
}
