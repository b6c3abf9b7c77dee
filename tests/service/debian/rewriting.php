<?php
// Rewrites random values and compares each with what the same value is when it is made of the other addresses at once. Arguments: the
// program under test, the first seed, how many seeds. Prints each difference as JSON.
require $argv[1];

/** Pieces of text, each with what it becomes. */
const PIECES = [
    ['https://example.org/a?b=1', 'http://staging.example.org/a?b=1'],
    ['http://example.org', 'http://staging.example.org'],
    ['HTTPS://Example.org/x', 'http://staging.example.org/x'],
    ['https://www.example.org/', 'http://staging.example.org/'],
    ['//example.org/pic.png', '//staging.example.org/pic.png'],
    ['https:\/\/example.org\/', 'http:\/\/staging.example.org\/'],
    ['https%3A%2F%2Fexample.org%2Fx', 'http%3A%2F%2Fstaging.example.org%2Fx'],
    ['See https://example.org. Then', 'See http://staging.example.org. Then'],
    ['https://example.org:8443/', 'http://staging.example.org:8443/'],
    ['/home/exampleorg3f9a/public/x', '/home/stagingexample7b2c/public/x'],
    ...[['https://example.organic/', null], ['https://example.org.evil.test/', null], ['https://sub.example.org', null]],
    ...[['somebody@example.org', null], ['https://my-example.org', null], ['/home/exampleorg3f9ab/x', null], ['example', null]],
    ...[['zażółć gęślą ', null], ['🦊', null], ['"', null], ["'", null], ['";}', null], ['s:5:"x";', null], ["\n", null], ["\0", null], ['{', null], ['é', null], [' ', null]],
];

final class Held
{
    public mixed $open = null;
    protected mixed $kept = null;
    private mixed $own = null;

    public function hold(mixed $open, mixed $kept, mixed $own): self
    {
        [$this->open, $this->kept, $this->own] = [$open, $kept, $own];
        return $this;
    }
}

enum Colour: string
{
    case Red = 'red';
}

/** @return array{string, string} a text and what it becomes */
function someText(): array
{
    $both = ['', ''];
    // Beginning so, it is no JSON and not serialized by chance.
    foreach ([['- ', null], ...array_map(fn () => PIECES[mt_rand(0, count(PIECES) - 1)], range(1, mt_rand(1, 6)))] as [$one, $other]) {
        $both[0] .= $one;
        $both[1] .= $other ?? $one;
        // So that no piece continues another’s name.
        $both[0] .= ' ';
        $both[1] .= ' ';
    }
    return $both;
}

/** Text of JSON may not have every byte. @return array{mixed, mixed} */
function someValue(int $depth, bool $isJson): array
{
    switch (mt_rand(0, $depth > 0 ? 9 : 3)) {
        case 0:
            $plain = [null, true, false, mt_rand(), -7, 1.5, 1.0e25][mt_rand(0, 6)];
            return [$plain, $plain];
        case 1:
        case 2:
        case 3:
            return someText();
        case 4:
        case 5:
            return someList($depth, $isJson);
        case 6:
            if ($isJson) return someList($depth, true);
            [$one, $two, $three] = [someValue($depth - 1, false), someValue($depth - 1, false), someValue($depth - 1, false)];
            return [(new Held())->hold($one[0], $two[0], $three[0]), (new Held())->hold($one[1], $two[1], $three[1])];
        case 7:
            if ($isJson) return someList($depth, true);
            [$one, $other] = someText();
            // The same value twice, once as a reference.
            $first = ['a' => $one, 'c' => Colour::Red];
            $second = ['a' => $other, 'c' => Colour::Red];
            $first['b'] = &$first['a'];
            $second['b'] = &$second['a'];
            return [$first, $second];
        case 8:
            $inner = someValue($depth - 1, false);
            return [serialize($inner[0]), serialize($inner[1])];
        default:
            $flags = [0, JSON_UNESCAPED_SLASHES, JSON_UNESCAPED_UNICODE, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE][mt_rand(0, 3)];
            $inner = someList($depth - 1, true);
            return [json_encode($inner[0], $flags), json_encode($inner[1], $flags)];
    }
}

function someList(int $depth, bool $isJson): array
{
    $both = [[], []];
    for ($left = mt_rand(1, 4); $left > 0; $left--) {
        $key = mt_rand(0, 1) ? "k$left ü" : $left;
        [$both[0][$key], $both[1][$key]] = someValue($depth - 1, $isJson);
    }
    return $both;
}

[, , $first, $count] = $argv;
for ($seed = (int) $first; $seed < $first + $count; $seed++) {
    mt_srand($seed);
    [$one, $other] = someValue(5, false);
    foreach ([[serialize($one), serialize($other)], is_string($one) ? [$one, $other] : ['', '']] as [$given, $wanted]) {
        $addresses = new Addresses(['example.org', 'www.example.org'], 'http://staging.example.org', 'exampleorg3f9a', 'stagingexample7b2c');
        $got = $addresses->value($given);
        if ($got !== $wanted || $addresses->left !== 0) {
            echo json_encode(['seed' => $seed, 'given' => $given, 'wanted' => $wanted, 'got' => $got], JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
        }
    }
}
