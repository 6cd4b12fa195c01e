export type StreamEvent = Readonly<Record<string, unknown>> & { readonly EventType?: string }
