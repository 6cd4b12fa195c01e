<?php
// Sends a text. With the same key it is sent once, however often this program runs.
require __DIR__ . '/posthorn.php';

try {
    $sent = call('POST', '/send/text', ['number' => getenv('CUSTOMER'), 'text' => 'Your order is ready.'], getenv('KEY'));
    echo json_encode(['messageid' => $sent['messageid']]), "\n";
} catch (PosthornError $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
