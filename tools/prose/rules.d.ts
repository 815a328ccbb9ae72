declare module 'textlint-rule-terminology';
declare module 'textlint-rule-write-good';
