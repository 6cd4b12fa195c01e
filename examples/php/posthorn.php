<?php
// Calls the gateway without libraries: JSON in and out, retries that send nothing twice, and the stream of events.

final class PosthornError extends RuntimeException
{
}

/** Returns the answer. A call that may have happened is repeated only if it reads, or has a key. */
function call(string $method, string $path, ?array $body = null, ?string $key = null, int $attempts = 4): array
{
    $headers = ['token: ' . getenv('POSTHORN_TOKEN'), 'content-type: application/json'];
    if ($key !== null) {
        $headers[] = "idempotency-key: $key";
    }
    $options = ['method' => $method, 'header' => $headers, 'timeout' => 60, 'ignore_errors' => true];
    if ($body !== null) {
        $options['content'] = json_encode($body);
    }
    for ($attempt = 1; ; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents(getenv('POSTHORN_URL') . $path, false, stream_context_create(['http' => $options]));
        $status = (int) substr($http_response_header[0] ?? 'HTTP/1.1 000', 9, 3);
        if ($status >= 200 && $status < 300) {
            return json_decode($text, true);
        }
        $isRepeatable = $key !== null || $method === 'GET';
        if (!$isRepeatable || $attempt === $attempts || !in_array($status, [0, 408, 429, 502, 503, 504], true)) {
            $error = json_decode((string) $text, true);
            throw new PosthornError(($error['code'] ?? 'NO_ANSWER') . ': ' . ($error['error'] ?? "status $status"));
        }
        usleep(random_int(250_000, 500_000) * 2 ** $attempt);
    }
}

/** Yields events, and continues after the last one when the connection ends. */
function events(string $kinds, callable $onOpen): Generator
{
    $lastId = '';
    for (;;) {
        $headers = ['token: ' . getenv('POSTHORN_TOKEN'), ...($lastId === '' ? [] : ["last-event-id: $lastId"])];
        $context = stream_context_create(['http' => ['header' => $headers, 'timeout' => 60]]);
        $stream = @fopen(getenv('POSTHORN_URL') . "/sse?events=$kinds", 'r', false, $context);
        if ($stream !== false) {
            $onOpen();
            $id = $lastId;
            while (($line = fgets($stream)) !== false) {
                [$name, $value] = explode(': ', rtrim($line, "\n"), 2) + ['', ''];
                if ($name === 'id') {
                    $id = $value;
                } elseif ($name === 'data') {
                    yield json_decode($value, true);
                } elseif (trim($line) === '') {
                    $lastId = $id;
                }
            }
            fclose($stream);
        }
        usleep(random_int(500_000, 2_000_000));
    }
}
