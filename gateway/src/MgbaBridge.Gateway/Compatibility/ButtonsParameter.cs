using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary>Buttons that are pressed together, each as a parameter of its own: <c>buttons=A&amp;buttons=B</c>, before 0.8 <c>keys=A&amp;keys=B</c>.</summary>
internal sealed class ButtonsParameter() : Parameter<KeySet>("ButtonEnum[]", "buttons")
{
    private const string OlderName = "keys";

    /// <inheritdoc/>
    public override KeySet Bind(ref Binding binding)
    {
        var mask = 0;
        foreach (var value in binding.ValuesOf(binding.TryFind(Name, out _) ? Name : OlderName))
        {
            mask |= Parameters.ReadButton(this, value.Span, ref binding).Mask;
        }

        if (mask == 0)
        {
            binding.IsUseless("No button was named; write buttons=A&buttons=B.");
        }

        return new KeySet(mask);
    }
}
