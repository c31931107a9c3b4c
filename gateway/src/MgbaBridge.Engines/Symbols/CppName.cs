using System.Globalization;
using System.Text;

namespace MgbaBridge.Engines.Symbols;

/// <summary>
/// Names of C++ as compilers write them into object files (the Itanium ABI): <c>_ZN2bn4core4initEv</c> is <c>bn::core::init()</c>.
/// What it does not know, such as expressions of templates, stays as it is. No package for it is served.
/// </summary>
internal sealed class CppName
{
    private const string Prefix = "_Z";
    private const int MaxDepth = 64;

    // the names in it grow by repetition: a reference to an earlier part takes two letters
    private const int MaxWork = 32_768;

    private static readonly Dictionary<char, string> Builtins = ByLetter(
        "v=void;w=wchar_t;b=bool;c=char;a=signed char;h=unsigned char;s=short;t=unsigned short;i=int;j=unsigned int;l=long;m=unsigned long;"
        + "x=long long;y=unsigned long long;n=__int128;o=unsigned __int128;f=float;d=double;e=long double;g=__float128;z=...");

    private static readonly Dictionary<char, string> MoreBuiltins = ByLetter("i=char32_t;s=char16_t;u=char8_t;n=decltype(nullptr);a=auto;c=decltype(auto);h=_Float16");

    private static readonly Dictionary<char, string> Standard = ByLetter("t=std;a=std::allocator;b=std::basic_string;s=std::string;i=std::istream;o=std::ostream;d=std::iostream");

    private static readonly Dictionary<string, string> Operators = Table(
        "nw= new;na= new[];dl= delete;da= delete[];co=~;pl=+;mi=-;ps=+;ng=-;ad=&;de=*;ml=*;dv=/;rm=%;an=&;or=|;eo=^;aS==;pL=+=;mI=-=;mL=*=;"
        + "dV=/=;rM=%=;aN=&=;oR=|=;eO=^=;ls=<<;rs=>>;lS=<<=;rS=>>=;eq===;ne=!=;lt=<;gt=>;le=<=;ge=>=;ss=<=>;nt=!;aa=&&;oo=||;pp=++;mm=--;cm=,;"
        + "pm=->*;pt=->;cl=();ix=[]");

    private static readonly Dictionary<char, string> Specials = ByLetter("V=vtable for ;T=VTT for ;I=typeinfo for ;S=typeinfo name for ");

    private readonly List<TypeText> _parts = [];
    private readonly string _text;
    private readonly int _end;
    private List<string> _arguments = [];
    private bool _inParameters;
    private int _at = Prefix.Length;
    private int _depth;
    private int _work;

    private CppName(string text, int end) => (_text, _end) = (text, end);

    private ReadOnlySpan<char> Rest => _text.AsSpan(_at, _end - _at);

    /// <summary>The name as it is in the source, or what was given if it is no name of C++.</summary>
    public static string Demangle(string name)
    {
        if (!name.StartsWith(Prefix, StringComparison.Ordinal) || name.Length > NameLimits.SymbolName)
        {
            return name;
        }

        // a compiler that copies a function adds .isra.0 and the like
        var dot = name.IndexOf('.', StringComparison.Ordinal);
        try
        {
            var reader = new CppName(name, dot < 0 ? name.Length : dot);
            var text = reader.Encoding();
            return reader.Rest.IsEmpty && text.Length <= NameLimits.SymbolName ? dot < 0 ? text : $"{text} [clone {name.AsSpan(dot)}]" : name;
        }
        catch (FormatException)
        {
            return name;
        }
    }

    // KEY=VALUE;...
    private static Dictionary<string, string> Table(string entries) =>
        entries.Split(';').Select(entry => entry.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1], StringComparer.Ordinal);

    private static Dictionary<char, string> ByLetter(string entries) => Table(entries).ToDictionary(pair => pair.Key[0], pair => pair.Value);

    private string Encoding()
    {
        Enter();
        var text = Rest switch
        {
            ['T', 'h', ..] => Thunk("non-virtual thunk to ", 2),
            ['T', 'v', ..] => Thunk("virtual thunk to ", 2),
            ['T', 'c', ..] => throw Unknown(),
            ['T', var special, ..] when Specials.TryGetValue(special, out var what) => what + After(2).Type(),
            ['G', 'V', ..] => "guard variable for " + After(2).Name().Text,
            ['G', 'R', ..] => throw Unknown(),
            _ => Function(),
        };
        _depth--;
        return text;
    }

    private string Thunk(string what, int length)
    {
        After(length);
        for (var number = 0; number < (what[0] == 'n' ? 1 : 2); number++)
        {
            Number();
            Expect('_');
        }

        return what + Encoding();
    }

    private string Function()
    {
        var name = Name();
        if (Rest.IsEmpty || Rest[0] == 'E')
        {
            return name.Text;
        }

        // what the parameters have as arguments of templates is not meant by T_ in them
        var outer = _inParameters;
        _inParameters = true;
        TypeText? returned = name.IsTemplate && !name.HasNoResult ? Type() : null;
        var text = $"{name.Text}({Parameters()}){name.Qualifiers}";
        _inParameters = outer;
        return Used(returned is { } type ? $"{type.Left} {text}{type.Right}" : text);
    }

    private string Parameters()
    {
        var all = new List<string>();
        while (!Rest.IsEmpty && Rest[0] is not ('E' or 'R' or 'O') || IsReference())
        {
            all.Add(Type().ToString());
        }

        return all is ["void"] ? "" : string.Join(", ", all.Where(static one => one.Length > 0));
    }

    // R and O before the end qualify the function, else they begin a parameter
    private bool IsReference() => Rest is ['R' or 'O', not 'E', ..];

    private NameText Name()
    {
        Enter();
        var name = Rest switch
        {
            ['N', ..] => Nested(),
            ['Z', ..] => Local(),
            ['S', not 't', ..] => WithArguments(new NameText(Substitution().ToString())),
            _ => Unscoped(),
        };
        _depth--;
        return name;
    }

    private NameText Unscoped()
    {
        var prefix = "";
        if (Rest is ['S', 't', ..])
        {
            prefix = "std::";
            After(2);
        }

        var name = Unqualified("");
        name = name with { Text = prefix + name.Text };
        if (Rest is ['I', ..])
        {
            Keep(name.Text);
        }

        return WithArguments(name);
    }

    private NameText WithArguments(NameText name) =>
        Rest is ['I', ..] ? name with { Text = Used(Joined(name.Text, Arguments())), IsTemplate = true } : name;

    private NameText Nested()
    {
        After(1);
        var qualifiers = Qualifiers();
        qualifiers += Rest switch { ['R', ..] => Taken(" &"), ['O', ..] => Taken(" &&"), _ => "" };
        var name = new NameText("");
        var last = "";
        while (Rest is not ['E', ..])
        {
            if (Rest is ['I', ..])
            {
                name = WithArguments(name);
            }
            else if (Rest is ['S', not 't', ..])
            {
                name = new NameText(Substitution().ToString());
                last = LastOf(name.Text);
                continue;
            }
            else if (Rest is ['S', 't', ..])
            {
                After(2);
                name = new NameText("std");
                continue;
            }
            else if (Rest is ['T', ..])
            {
                name = new NameText(TemplateParameter());
            }
            else
            {
                var part = Unqualified(last);
                last = part.Text;
                name = part with { Text = Used(name.Text.Length == 0 ? part.Text : $"{name.Text}::{part.Text}") };
            }

            // the whole name is no part for later
            if (Rest is not ['E', ..])
            {
                Keep(name.Text);
            }
        }

        After(1);
        return name with { Qualifiers = qualifiers };
    }

    private NameText Local()
    {
        After(1);
        var function = Encoding();
        Expect('E');
        if (Rest is ['s', ..])
        {
            After(1);
            Discriminator();
            return new NameText($"{function}::string literal");
        }

        if (Rest is ['d', ..])
        {
            throw Unknown();
        }

        var name = Name();
        Discriminator();
        return name with { Text = Used($"{function}::{name.Text}") };
    }

    private void Discriminator()
    {
        if (Rest is ['_', '_', ..])
        {
            After(2);
            Number();
            Expect('_');
        }
        else if (Rest is ['_', >= '0' and <= '9', ..])
        {
            After(2);
        }
    }

    private NameText Unqualified(string outer)
    {
        var name = Rest switch
        {
            ['L', ..] => After(1).Unqualified(outer),
            [>= '1' and <= '9', ..] => new NameText(Source()),
            ['C', >= '1' and <= '5', ..] when outer.Length > 0 => Constructor(outer),
            ['D', >= '0' and <= '5', ..] when outer.Length > 0 => Constructor("~" + outer),
            ['U', 'l', ..] => new NameText(Lambda()),
            ['U', 't', ..] => new NameText(Unnamed()),
            ['c', 'v', ..] => new NameText("operator " + After(2).Type()) { HasNoResult = true },
            ['l', 'i', ..] => new NameText("operator\"\" " + After(2).Source()),
            [var first, var second, ..] when Operators.TryGetValue($"{first}{second}", out var sign) => After(2).Named($"operator{sign}"),
            _ => throw Unknown(),
        };
        while (Rest is ['B', ..])
        {
            name = name with { Text = Used($"{name.Text}[abi:{After(1).Source()}]") };
        }

        return name;
    }

    private NameText Named(string text) => new(Used(text));

    private NameText Constructor(string name)
    {
        After(2);
        return new NameText(name) { HasNoResult = true };
    }

    private string Source()
    {
        var length = Digits();
        if (length == 0 || length > Rest.Length)
        {
            throw Unknown();
        }

        var text = Rest[..length].ToString();
        After(length);
        return Used(text.StartsWith("_GLOBAL__N", StringComparison.Ordinal) ? "(anonymous namespace)" : text);
    }

    private string Lambda()
    {
        After(2);
        var parameters = Parameters();
        Expect('E');
        return Used(string.Create(CultureInfo.InvariantCulture, $"{{lambda({parameters})#{Ordinal()}}}"));
    }

    private string Unnamed()
    {
        After(2);
        return string.Create(CultureInfo.InvariantCulture, $"{{unnamed type#{Ordinal()}}}");
    }

    // none is the first, 0 the second
    private int Ordinal()
    {
        var ordinal = Rest is ['_', ..] ? 1 : Digits() + 2;
        Expect('_');
        return ordinal;
    }

    private TypeText Type()
    {
        Enter();
        var keep = true;
        TypeText type;
        switch (Rest)
        {
            case ['r' or 'V' or 'K', ..]:
                var qualifiers = Qualifiers();
                type = Type().With(qualifiers, isPointer: false);
                break;
            case ['P', ..]:
                type = After(1).Type().With("*", isPointer: true);
                break;
            case ['R', ..]:
                type = After(1).Type().With("&", isPointer: true);
                break;
            case ['O', ..]:
                type = After(1).Type();

                // a reference to a reference is one
                type = type.Left.EndsWith('&') ? type : type.With("&&", isPointer: true);
                break;
            case ['F', ..]:
                type = FunctionType();
                break;
            case ['A', ..]:
                After(1);
                var length = Rest is ['_', ..] ? "" : Digits().ToString(CultureInfo.InvariantCulture);
                Expect('_');
                var item = Type();
                type = new TypeText(item.Left, $"[{length}]{item.Right}");
                break;
            case ['M', ..]:
                var of = After(1).Type().ToString();
                var member = Type();
                type = member.With($"{of}::*", isPointer: true);
                type = member.IsPlain ? new TypeText($"{member.Left} {of}::*", member.Right) : type;
                break;
            case ['D', 'p', ..]:
                type = After(2).Type();
                break;
            case ['D', var more, ..] when MoreBuiltins.TryGetValue(more, out var name):
                After(2);
                (type, keep) = (new TypeText(name), false);
                break;
            case ['T', ..]:
                type = new TypeText(TemplateParameter());
                if (Rest is ['I', ..])
                {
                    Keep(type);
                    type = new TypeText(Joined(type.Left, Arguments()));
                }

                break;
            case ['S', not 't', ..]:
                type = Substitution();
                keep = Rest is ['I', ..];
                type = keep ? new TypeText(Joined(type.ToString(), Arguments())) : type;
                break;
            case [>= 'a' and <= 'z' and var builtin, ..] when Builtins.TryGetValue(builtin, out var simple):
                After(1);
                (type, keep) = (new TypeText(simple), false);
                break;
            case [(>= '1' and <= '9') or 'N' or 'Z' or 'S', ..]:
                type = new TypeText(Name().Text);
                break;
            default:
                throw Unknown();
        }

        Used(type.Left);
        if (keep)
        {
            Keep(type);
        }

        _depth--;
        return type;
    }

    private TypeText FunctionType()
    {
        After(Rest is ['F', 'Y', ..] ? 2 : 1);
        var returned = Type();
        var parameters = Parameters();
        var reference = Rest switch { ['R', ..] => Taken(" &"), ['O', ..] => Taken(" &&"), _ => "" };
        Expect('E');
        return new TypeText(returned.Left, $"({parameters}){reference}{returned.Right}");
    }

    private string Arguments()
    {
        var all = new List<string>();
        After(1);
        while (Rest is not ['E', ..])
        {
            all.Add(Argument());
        }

        After(1);
        if (!_inParameters)
        {
            _arguments = all;
        }

        var text = string.Join(", ", all.Where(static one => one.Length > 0));
        return Used(text.EndsWith('>') ? $"<{text} >" : $"<{text}>");
    }

    private string Argument()
    {
        Enter();
        string text;
        switch (Rest)
        {
            case ['L', ..]:
                text = After(1).Literal();
                break;
            case ['J', ..]:
                var all = new List<string>();
                After(1);
                while (Rest is not ['E', ..])
                {
                    all.Add(Argument());
                }

                After(1);
                text = string.Join(", ", all);
                break;
            default:
                text = Type().ToString();
                break;
        }

        _depth--;
        return Used(text);
    }

    private string Literal()
    {
        if (Rest is ['_', 'Z', ..])
        {
            var name = After(2).Encoding();
            Expect('E');
            return "&" + name;
        }

        var simple = Rest is [var letter, ..] ? letter : '\0';
        var type = Type().ToString();
        var end = Rest.IndexOf('E');
        if (end < 0)
        {
            throw Unknown();
        }

        var value = Rest[..end].ToString().Replace('n', '-');
        After(end + 1);
        return simple switch
        {
            'b' => value == "1" ? "true" : "false",
            'i' => value,
            'j' => value + "u",
            'l' => value + "l",
            'm' => value + "ul",
            'x' => value + "ll",
            'y' => value + "ull",
            _ => $"({type}){value}",
        };
    }

    private string TemplateParameter()
    {
        After(1);
        var index = Rest is ['_', ..] ? 0 : Digits() + 1;
        Expect('_');
        return index < _arguments.Count ? _arguments[index] : throw Unknown();
    }

    private TypeText Substitution()
    {
        After(1);
        if (Rest is [>= 'a' and <= 'z' and var letter, ..])
        {
            After(1);
            return Standard.TryGetValue(letter, out var name) ? new TypeText(name) : throw Unknown();
        }

        var index = 0;
        if (Rest is not ['_', ..])
        {
            while (Rest is [((>= '0' and <= '9') or (>= 'A' and <= 'Z')) and var digit, ..] && index < NameLimits.SymbolName)
            {
                index = (index * 36) + (char.IsAsciiDigit(digit) ? digit - '0' : digit - 'A' + 10);
                After(1);
            }

            index++;
        }

        Expect('_');
        return index < _parts.Count ? _parts[index] : throw Unknown();
    }

    private string Qualifiers()
    {
        var text = new StringBuilder();
        while (Rest is [('r' or 'V' or 'K') and var qualifier, ..])
        {
            text.Insert(0, qualifier switch { 'r' => " restrict", 'V' => " volatile", _ => " const" });
            After(1);
        }

        return text.ToString();
    }

    private void Number()
    {
        if (Rest is ['n', ..])
        {
            After(1);
        }

        Digits();
    }

    private int Digits()
    {
        var number = 0;
        while (Rest is [>= '0' and <= '9' and var digit, ..])
        {
            number = (number * 10) + (digit - '0');
            if (number > MaxWork)
            {
                throw Unknown();
            }

            After(1);
        }

        return number;
    }

    private CppName After(int letters)
    {
        _at = Math.Min(_at + letters, _end);
        return this;
    }

    private string Taken(string text)
    {
        After(1);
        return text;
    }

    private void Expect(char letter)
    {
        if (Rest.IsEmpty || Rest[0] != letter)
        {
            throw Unknown();
        }

        After(1);
    }

    private void Keep(string text) => Keep(new TypeText(text));

    private void Keep(TypeText text) => _parts.Add(text);

    private void Enter()
    {
        if (++_depth > MaxDepth)
        {
            throw Unknown();
        }
    }

    private string Used(string text)
    {
        _work += text.Length;
        return _work > MaxWork ? throw Unknown() : text;
    }

    private static string Joined(string name, string arguments) => name.EndsWith('<') ? $"{name} {arguments}" : name + arguments;

    // the constructor of a::b<c> is called b
    private static string LastOf(string name)
    {
        var (depth, end) = (0, name.Length);
        for (var at = name.Length - 1; at >= 0; at--)
        {
            depth += name[at] switch { '>' => 1, '<' => -1, _ => 0 };
            if (depth == 0 && name[at] == '<')
            {
                end = at;
            }
            else if (depth == 0 && name[at] == ':')
            {
                return name[(at + 1)..end];
            }
        }

        return name[..end];
    }

    private static FormatException Unknown() => new("This form of a C++ name is not known.");

    /// <summary>A name, and what a function's type needs to know of it.</summary>
    private readonly record struct NameText(string Text)
    {
        public string Qualifiers { get; init; } = "";

        public bool IsTemplate { get; init; }

        public bool HasNoResult { get; init; }
    }

    /// <summary>A type: what is before a name in a declaration, and what behind it.</summary>
    private readonly record struct TypeText(string Left, string Right = "")
    {
        /// <summary>Whether it is no function and no array.</summary>
        public bool IsPlain => Right.Length == 0;

        public TypeText With(string mark, bool isPointer) =>
            Right is not ['(' or '[', ..] ? new TypeText(Left + mark, Right)
            : !isPointer ? (Right[0] == '(' ? new TypeText(Left, Right + mark) : new TypeText(Left + mark, Right))
            : Right[0] == '(' ? new TypeText($"{Left} ({mark}", $"){Right}")
            : new TypeText($"{Left} ({mark}", $") {Right}");

        public override string ToString() => Right is ['(' or '[', ..] ? $"{Left} {Right}" : Left + Right;
    }
}
