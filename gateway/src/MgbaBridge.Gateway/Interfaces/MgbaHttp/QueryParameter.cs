using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>A parameter in the query of a compatible path.</summary>
/// <param name="type">Its type as mGBA-http's messages name it.</param>
/// <param name="name">Its name, in any case.</param>
internal abstract class QueryParameter(string type, string name)
{
    /// <summary>Its type as mGBA-http's messages name it.</summary>
    public string Type { get; } = type;

    /// <summary>Its name.</summary>
    public string Name { get; } = name;

    /// <summary>Its description.</summary>
    public required string Description { get; init; }

    /// <summary>A value that it may have.</summary>
    public required string Example { get; init; }

    /// <summary>Whether it may be omitted.</summary>
    public virtual bool IsRequired => true;
}

/// <summary>A parameter with values of one kind.</summary>
internal abstract class QueryParameter<T>(string type, string name) : QueryParameter(type, name)
{
    /// <summary>Reads it, or notes in <paramref name="binding"/> what is wrong.</summary>
    public abstract T Bind(ref QueryBinding binding);
}

/// <summary>Makes a value of text, or notes in <paramref name="binding"/> what is wrong with it.</summary>
internal delegate T ReadText<out T>(QueryParameter parameter, ReadOnlySpan<char> text, ref QueryBinding binding);

/// <summary>A parameter that is given once.</summary>
internal sealed class SingleParameter<T>(string type, string name, ReadText<T> read) : QueryParameter<T>(type, name)
{
    private T _whenAbsent = default!;
    private bool _isRequired = true;

    public override bool IsRequired => _isRequired;

    /// <summary>What it was called in older versions.</summary>
    public string? OlderName { get; init; }

    /// <summary>The same parameter for paths on which it may be omitted.</summary>
    public SingleParameter<T> Or(T whenAbsent) =>
        new(Type, Name, read) { Description = Description, Example = Example, OlderName = OlderName, _whenAbsent = whenAbsent, _isRequired = false };

    public override T Bind(ref QueryBinding binding)
    {
        if (binding.TryFind(Name, OlderName, out var value))
        {
            return read(this, value.Span, ref binding);
        }

        if (IsRequired)
        {
            binding.RejectMissing(this);
        }

        return _whenAbsent;
    }
}

/// <summary>Buttons that are pressed together, each as a parameter of its own: <c>buttons=A&amp;buttons=B</c>, before 0.8 <c>keys=A&amp;keys=B</c>.</summary>
internal sealed class ButtonsParameter() : QueryParameter<KeySet>("ButtonEnum[]", "buttons")
{
    private const string OlderName = "keys";

    public override KeySet Bind(ref QueryBinding binding)
    {
        var mask = 0;
        foreach (var value in binding.ValuesOf(binding.TryFind(Name, out _) ? Name : OlderName))
        {
            mask |= QueryParameters.ReadButton(this, value.Span, ref binding).Mask;
        }

        if (mask == 0)
        {
            binding.RejectInScript("The parameter buttons is missing; expected for example buttons=A&buttons=B.");
        }

        return new KeySet(mask);
    }
}
