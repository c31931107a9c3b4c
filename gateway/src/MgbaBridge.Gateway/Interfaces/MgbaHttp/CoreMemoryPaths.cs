using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: memory by its address on the bus.</summary>
internal static class CoreMemoryPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        foreach (var width in Enum.GetValues<CellWidth>())
        {
            paths.Map(
                HttpMethods.Get, $"/core/read{(int)width}", $"Reads {(int)width} bits, unsigned.",
                QueryParameters.Address, address => new ReadCell(Location.Bus(address), width),
                static (http, _, reply) => PlainText.WriteAsync(http, ReadCell.Parse(reply)), "255");
        }

        paths.Map(
            HttpMethods.Post, "/core/write8", "Writes 8 bits.",
            QueryParameters.Address, QueryParameters.Value,
            static (address, value) => new WriteCell(Location.Bus(address), CellWidth.Byte, (byte)value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/write16", "Writes 16 bits.",
            QueryParameters.Address, paths.Dialect.Value(),
            static (address, value) => new WriteCell(Location.Bus(address), CellWidth.Half, (ushort)value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/core/write32", "Writes 32 bits.",
            QueryParameters.Address, paths.Dialect.Value(),
            static (address, value) => new WriteCell(Location.Bus(address), CellWidth.Word, value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Get, "/core/readrange", "Reads bytes as hex with commas between, or as they are for Accept: application/octet-stream.",
            QueryParameters.Address, QueryParameters.Length,
            static (address, length) => new ReadMemory(Location.Bus(address), length), paths.Dialect.Bytes<(long, long)>(), "d3,00,00,ea,66,00,00,ea");
    }
}
