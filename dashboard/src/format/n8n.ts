import type { ShownCall } from './shown.js'

/** Returns a call as a node of n8n, to be pasted onto its canvas. The token comes from a variable of n8n's environment. */
export function formatN8nNode({ operation, method, base, path, header, body }: ShownCall): string {
  const node = {
    name: operation,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [0, 0],
    parameters: {
      method,
      url: base + path,
      sendHeaders: true,
      headerParameters: { parameters: [{ name: header, value: '={{ $env.POSTHORN_TOKEN }}' }] },
      ...(body === undefined
        ? {}
        : { sendBody: true, specifyBody: 'json', jsonBody: avoidExpression(JSON.stringify(body, null, 2)) }),
    },
  }
  return JSON.stringify({ nodes: [node], connections: {} }, null, 2)
}

/** A text that begins with `=` would be an expression of n8n. JSON does not. */
function avoidExpression(json: string): string {
  return json.startsWith('=') ? ` ${json}` : json
}
