<?php
// The constants of a program of PHP, by its tokens: what is in comments or texts is none.

final class Defines
{
    /** The literals that a program gives a constant: of each its place, its length and what it says, in their order. @return list<array{int, int, string}> */
    public static function of(string $program, string $constant): array
    {
        $tokens = array_values(array_filter(PhpToken::tokenize($program), fn (PhpToken $token) => !$token->isIgnorable()));
        $found = [];
        foreach ($tokens as $at => $token) {
            $literal = self::given($tokens, $at, $constant);
            if ($literal !== null) $found[] = [$literal->pos, strlen($literal->text), self::said($literal->text)];
        }
        return $found;
    }

    /** The program with another text in place of one of its literals. */
    public static function put(string $program, array $literal, string $text): string
    {
        return substr($program, 0, $literal[0]) . "'" . addcslashes($text, "\\'") . "'" . substr($program, $literal[0] + $literal[1]);
    }

    /** What define(…) or const at this token gives the constant, if that is a literal. @param PhpToken[] $tokens */
    private static function given(array $tokens, int $at, string $constant): ?PhpToken
    {
        $is = fn (int $offset, string $text) => ($tokens[$at + $offset]->text ?? '') === $text;
        $literal = fn (int $offset) => ($tokens[$at + $offset]->id ?? 0) === T_CONSTANT_ENCAPSED_STRING ? $tokens[$at + $offset] : null;
        if ($tokens[$at]->id === T_CONST && $is(1, $constant) && $is(2, '=')) return $is(4, ';') || $is(4, ',') ? $literal(3) : null;
        if (strcasecmp(ltrim($tokens[$at]->text, '\\'), 'define') !== 0 || !$is(1, '(') || !$is(3, ',')) return null;
        $name = $literal(2);
        return $name !== null && self::said($name->text) === $constant && ($is(5, ')') || $is(5, ',')) ? $literal(4) : null;
    }

    private static function said(string $literal): string
    {
        $inner = substr($literal, 1, -1);
        return $literal[0] === "'" ? (string) preg_replace("~\\\\([\\\\'])~", '$1', $inner) : stripcslashes($inner);
    }
}
