using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/memorydomain</c>: memory by an offset in a domain.</summary>
internal static class MemoryDomainPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        Property("/memorydomain/base", "The domain's first address on the bus.", static domain => MgbaHttpAnswer.Of(domain.Base), "50331648");
        Property("/memorydomain/bound", "The address after the domain's last.", static domain => MgbaHttpAnswer.Of(domain.Bound), "50594303");
        Property("/memorydomain/size", "The domain's size in bytes.", static domain => MgbaHttpAnswer.Of(domain.Size), "262144");
        Property("/memorydomain/name", "What mGBA calls the domain.", static domain => MgbaHttpAnswer.OfText(domain.Name), "wram");
        var (id, offset, value) = (QueryParameters.Domain, QueryParameters.Offset, paths.Dialect.Value());
        foreach (var width in Enum.GetValues<CellWidth>())
        {
            paths.Map(
                HttpMethods.Get, $"/memorydomain/read{(int)width}", $"Reads {(int)width} bits, unsigned.",
                Parameters.Of(id, offset, (domain, offset) => new ReadCell(new Location(domain, offset), width)),
                static reply => MgbaHttpAnswer.Of(ReadCell.Parse(reply)), "255");
        }

        paths.Map(
            "/memorydomain/write8", "Writes 8 bits.",
            Parameters.Of(id, offset, QueryParameters.Value, static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Byte, (byte)value)));
        paths.Map(
            "/memorydomain/write16", "Writes 16 bits.",
            Parameters.Of(id, offset, value, static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Half, (ushort)value)));
        paths.Map(
            "/memorydomain/write32", "Writes 32 bits.",
            Parameters.Of(id, offset, value, static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Word, value)));
        paths.MapBytes(
            HttpMethods.Get, "/memorydomain/readrange", "Reads bytes as hex with commas between, or as they are for Accept: application/octet-stream.",
            Parameters.Of(id, offset, QueryParameters.Length, static (domain, offset, length) => new ReadMemory(new Location(domain, offset), length)), "d3,00,00,ea,66,00,00,ea");

        void Property(string path, string summary, Func<MemoryDomain, MgbaHttpAnswer> of, string example) => paths.Map(
            HttpMethods.Get, path, summary, Parameters.Of(QueryParameters.Domain), (invocation, id) => invocation.SendAsync(new ListDomains(), reply =>
            {
                var domain = ListDomains.Parse(reply).FirstOrDefault(domain => domain.Id == id);
                return domain == default ? MgbaHttpAnswer.ScriptError($"\"{id}\" is not a memory domain of this game; /coreadapter/memory lists the domains.") : of(domain);
            }), example);
    }
}
