using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Search;

/// <summary>What a search looks for: how a number lies in memory.</summary>
/// <param name="Type">What it is.</param>
/// <param name="Endian">Which byte comes first.</param>
/// <param name="Alignment">1, 2 or 4: its offset from the range's start is a multiple of this.</param>
public readonly record struct SearchForm(NumberType Type, Endian Endian, int Alignment)
{
    /// <summary>The smallest number of the type.</summary>
    public long Least => Type switch { NumberType.S8 => sbyte.MinValue, NumberType.S16 => short.MinValue, NumberType.S32 => int.MinValue, _ => 0 };

    /// <summary>The greatest number of the type.</summary>
    public long Greatest => Least + Mask;

    /// <summary>All bits of the type, and how far two numbers can be apart.</summary>
    public long Mask => (1L << (int)Type.Width()) - 1;
}
