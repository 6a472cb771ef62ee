// Line ends and ends of expressions for the Tree-sitter grammar of the rules language.
//
// A line break ends a line unless the next line begins with a word that continues it. The end of an expression is an
// empty token before the first token that cannot continue the expression. Both need only the text that follows.

#include "tree_sitter/parser.h"

#include <string.h>

enum Token {
  NEWLINE,
  OR_NONE,
  ARITHMETIC_END,
  CONDITION_END,
  VALUE_END,
  NO_PAIR,
  NO_FILTER,
  NO_BOUND,
  NO_QUERY,
  ADDED_LINE,
  REMOVED_LINE,
  CONTEXT_LINE,
  ERROR_SENTINEL,
};

enum { WORD_BYTES = 16 };

// Words that continue the previous line wherever a line could end.
static const char *const GO_ON[] = {"and",   "or",      "otherwise", "where", "when",   "prefer",  "by", "to", "then",
                                    "default", "for",   "while",     "sweep", "weight", "against", "as", "with",
                                    "given", "because", NULL};

static bool is_space(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == 0xFEFF; }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_word(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++) {
    if (strcmp(word, *words) == 0) return true;
  }
  return false;
}

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static void skip_spaces(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) advance(lexer);
}

// Reads a word; a longer one than a keyword is read to its end and returned empty.
static void read_word(TSLexer *lexer, char *word) {
  unsigned length = 0;
  while (is_word(lexer->lookahead)) {
    if (length < WORD_BYTES - 1) word[length] = (char)lexer->lookahead;
    length++;
    advance(lexer);
  }
  word[length < WORD_BYTES ? length : 0] = 0;
}

// Skips white space, comments and line breaks. Returns the number of line breaks.
static unsigned skip_lines(TSLexer *lexer, bool *comment) {
  unsigned breaks = 0;
  for (;;) {
    if (lexer->lookahead == '\n') {
      breaks++;
      advance(lexer);
    } else if (lexer->lookahead == '#') {
      *comment = true;
      while (lexer->lookahead != '\n' && !lexer->eof(lexer)) advance(lexer);
    } else if (is_space(lexer->lookahead)) {
      advance(lexer);
    } else {
      return breaks;
    }
  }
}

// Returns whether the word just read names a row or an option: `down => 1`, `else when a => 2`.
static bool names_a_row(TSLexer *lexer, const char *word) {
  static const char *const AFTER[] = {"when", "prefer", NULL};
  skip_spaces(lexer);
  if (lexer->lookahead == '=') {
    advance(lexer);
    return lexer->lookahead == '>';
  }
  if (lexer->lookahead == '|') return true;
  if (strcmp(word, "when") == 0 || strcmp(word, "prefer") == 0) return false;
  char next[WORD_BYTES];
  read_word(lexer, next);
  return is_one_of(next, AFTER);
}

// Returns whether `or` is followed by `none` or `stop`. Leaves the position after that word.
static bool or_ends(TSLexer *lexer, char *next) {
  skip_spaces(lexer);
  read_word(lexer, next);
  return strcmp(next, "none") == 0 || strcmp(next, "stop") == 0;
}

// Returns whether the line that begins here continues the line above.
static bool goes_on(TSLexer *lexer) {
  if (lexer->lookahead == ',' || lexer->lookahead == '}' || lexer->eof(lexer)) return true;
  char word[WORD_BYTES];
  read_word(lexer, word);
  if (strcmp(word, "up") == 0 || strcmp(word, "down") == 0 || strcmp(word, "else") == 0) {
    return !names_a_row(lexer, word);
  }
  if (strcmp(word, "on") == 0) {
    skip_spaces(lexer);
    read_word(lexer, word);
    return strcmp(word, "meeting") == 0;
  }
  return is_one_of(word, GO_ON) && !names_a_row(lexer, word);
}

// Returns whether an expression of the given kind continues here.
static bool continues(TSLexer *lexer, enum Token kind, bool same_line) {
  int32_t c = lexer->lookahead;
  bool condition = kind != ARITHMETIC_END;
  if (same_line) {
    switch (c) {
      case '+':
      case '*':
      case '/':
      case '(':
      case '.':
        return true;
      case '-':
        advance(lexer);
        return lexer->lookahead != '>';
      case ':':
        return kind == VALUE_END;
      case '<':
      case '>':
        return condition;
      case '=':
      case '!':
        advance(lexer);
        return condition && lexer->lookahead == '=';
      default:
        break;
    }
  }
  char word[WORD_BYTES];
  read_word(lexer, word);
  if (strcmp(word, "up") == 0 || strcmp(word, "down") == 0) return same_line || !names_a_row(lexer, word);
  if (same_line && strcmp(word, "rounded") == 0) return true;
  if (kind == VALUE_END && strcmp(word, "otherwise") == 0) return true;
  if (!condition) return false;
  if (strcmp(word, "or") == 0) {
    char next[WORD_BYTES];
    return !or_ends(lexer, next);
  }
  if (strcmp(word, "and") == 0) return true;
  static const char *const TESTS[] = {"has", "is", "in", "not", "within", "sees", "nearer", "to", NULL};
  return same_line && is_one_of(word, TESTS);
}

// Returns whether a name that is not reserved, or a list, begins here.
static bool begins_name(TSLexer *lexer) {
  static const char *const RESERVED[] = {
      "and", "as", "by", "cite", "default", "else", "for", "has", "if", "in", "is", "match", "no", "none", "not", "of",
      "or", "otherwise", "prefer", "return", "rounded", "sees", "some", "stop", "then", "to", "until", "was", "when",
      "where", "within", "yes", "up", "down", NULL};
  if (lexer->lookahead == '[') return true;
  if (lexer->lookahead < 'a' || lexer->lookahead > 'z') return false;
  char word[WORD_BYTES];
  read_word(lexer, word);
  return !is_one_of(word, RESERVED);
}

// Returns whether a query goes on after its name: `any x in xs`, `any dice <= 3`, `no rolls.hits > 1`.
static bool is_asked(TSLexer *lexer) {
  skip_spaces(lexer);
  char word[WORD_BYTES];
  switch (lexer->lookahead) {
    case '.':
    case '(':
    case '<':
    case '>':
      return true;
    case '=':
    case '!':
      advance(lexer);
      return lexer->lookahead == '=';
    default:
      read_word(lexer, word);
      return strcmp(word, "in") == 0;
  }
}

// Returns whether an operand begins here.
static bool begins_value(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  return c == '(' || c == '-' || is_digit(c) || (c >= 'A' && c <= 'Z') || begins_name(lexer);
}

// Reads a line of a `change`. Returns false if there is none.
static bool change_line(TSLexer *lexer) {
  while (is_space(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, true);
  int32_t first = lexer->lookahead;
  if (first == '}' || first == '#' || lexer->eof(lexer)) return false;
  bool quoted = false;
  while (lexer->lookahead != '\n' && !lexer->eof(lexer) && (quoted || lexer->lookahead != '#')) {
    bool space = is_space(lexer->lookahead);
    if (lexer->lookahead == '"') quoted = !quoted;
    advance(lexer);
    if (!space) lexer->mark_end(lexer);
  }
  lexer->result_symbol = first == '+' ? ADDED_LINE : first == '-' ? REMOVED_LINE : CONTEXT_LINE;
  return true;
}

static bool end_of_line(TSLexer *lexer) {
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, true);
  lexer->mark_end(lexer);
  lexer->result_symbol = NEWLINE;
  return true;
}

void *tree_sitter_grognard_external_scanner_create(void) { return NULL; }
void tree_sitter_grognard_external_scanner_destroy(void *payload) { (void)payload; }
void tree_sitter_grognard_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}
unsigned tree_sitter_grognard_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}

bool tree_sitter_grognard_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  // after an error every line break ends a line, so that the next line is read correctly
  if (valid[ERROR_SENTINEL]) return end_of_line(lexer);
  if (valid[CONTEXT_LINE]) return change_line(lexer);

  for (enum Token kind = ARITHMETIC_END; kind <= NO_QUERY; kind++) {
    if (!valid[kind]) continue;
    lexer->mark_end(lexer);
    bool comment = false;
    bool same_line = skip_lines(lexer, &comment) == 0 && !comment;
    if (kind <= VALUE_END) {
      if (continues(lexer, kind, same_line)) return false;
    } else if (kind == NO_BOUND) {
      if (same_line && begins_value(lexer)) return false;
    } else if (kind == NO_QUERY) {
      if (same_line && (lexer->lookahead == '[' || (begins_name(lexer) && is_asked(lexer)))) return false;
    } else {
      char word[WORD_BYTES];
      read_word(lexer, word);
      if (strcmp(word, kind == NO_PAIR ? "against" : "where") == 0) return false;
    }
    lexer->result_symbol = kind;
    return true;
  }

  if (!valid[NEWLINE] && !valid[OR_NONE]) return false;
  while (is_space(lexer->lookahead)) lexer->advance(lexer, true);
  bool new_line = false;
  while (lexer->lookahead == '\n' || is_space(lexer->lookahead)) {
    bool first = !new_line && lexer->lookahead == '\n';
    lexer->advance(lexer, true);
    if (first) lexer->mark_end(lexer);
    new_line |= first;
  }
  if (valid[OR_NONE] && lexer->lookahead == 'o') {
    char word[WORD_BYTES];
    read_word(lexer, word);
    if (strcmp(word, "or") != 0 || !or_ends(lexer, word) || strcmp(word, "none") != 0) return false;
    lexer->mark_end(lexer);
    lexer->result_symbol = OR_NONE;
    return true;
  }
  if (!valid[NEWLINE] || !new_line) return false;
  bool comment = false;
  skip_lines(lexer, &comment);
  if (goes_on(lexer)) return false;
  lexer->result_symbol = NEWLINE;
  return true;
}
